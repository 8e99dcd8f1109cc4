// Values are bound by position: the order of the columns is that of schema.cpp.
#include "runtime/record/session_writer.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "physics/body/state_hash.h"
#include "runtime/record/command_row.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/schema.h"

namespace tenon::runtime {

namespace {

/// Longest lock of the file by another program that reads or copies it; the queue buffers steps meanwhile.
constexpr int kBusy_ms = 60000;

/// Every this many keyframes, the states of all bodies are written, so that a random access reads no more
/// keyframes than this.
constexpr int kWholeEvery = 100;

using physics::Pose;
using physics::Vector3d;

/// One row of a prepared INSERT, filled in from left to right.
class Row {
 public:
  explicit Row(SQLite::Statement& statement) : statement_(statement) {}
  Row& add(double value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  Row& add(int value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  Row& add(std::int64_t value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  Row& add(const std::string& value) {
    return bound([&](int k) { statement_.bind(k, value); });
  }
  /// A BLOB, not copied: `bytes` must stay valid until write().
  Row& addBytes(const std::string& bytes) {
    return bound([&](int k) { statement_.bindNoCopy(k, bytes.data(), static_cast<int>(bytes.size())); });
  }
  Row& add(std::string_view value) { return add(std::string(value)); }
  Row& add(const Vector3d& v) { return add(v.x()).add(v.y()).add(v.z()); }
  Row& add(const Pose& X) { return add(X.p).add(X.q.w()).add(X.q.x()).add(X.q.y()).add(X.q.z()); }
  Row& null(int columns = 1) {
    for (; columns > 0; --columns) bound([&](int k) { statement_.bind(k); });
    return *this;
  }
  /// NULL for −1.
  Row& addIndex(int value) { return value < 0 ? null() : add(value); }
  /// NULL unless `given`.
  template <class Value>
  Row& addIf(bool given, const Value& value) {
    return given ? add(value) : null();
  }
  Row& add(const std::optional<Pose>& X) { return X ? add(*X) : null(7); }
  void write() {
    statement_.exec();
    statement_.reset();
  }

 private:
  template <class Bind>
  Row& bound(const Bind& bind) {
    bind(++column_);
    return *this;
  }

  SQLite::Statement& statement_;
  int column_ = 0;
};

std::int64_t bits(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash);
}

/// Callback of sqlite3_wal_hook: runs after each commit.
int noteLog(void* frames, sqlite3* /*file*/, const char* /*name*/, int inLog) {
  *static_cast<int*>(frames) = inLog;
  return SQLITE_OK;
}

bool sameBytes(const Pose& a, const Pose& b) {
  return a.p == b.p && a.q.coeffs() == b.q.coeffs();
}
bool sameBytes(const std::optional<Pose>& a, const std::optional<Pose>& b) {
  return a.has_value() == b.has_value() && (!a || sameBytes(*a, *b));
}
bool sameBytes(const physics::BodyState& a, const physics::BodyState& b) {
  return sameBytes(a.X_WC, b.X_WC) && a.v == b.v && a.omega == b.omega;
}
bool sameBytes(const xr::HandSample& a, const xr::HandSample& b) {
  const bool frameBlend = a.frameBlend.has_value() == b.frameBlend.has_value() &&
                          (!a.frameBlend || (sameBytes(a.frameBlend->start, b.frameBlend->start) &&
                                             a.frameBlend->fraction == b.frameBlend->fraction));
  return a.tracked == b.tracked && a.closed == b.closed && a.wantedPart == b.wantedPart &&
         a.posesPart == b.posesPart && frameBlend && sameBytes(a.X_WH, b.X_WH) &&
         sameBytes(a.X_WH_closed, b.X_WH_closed);
}

}  // namespace

SessionWriter::SessionWriter(const std::string& path, SessionHeader header, const content::Scene& scene,
                             const physics::World& world)
    : file_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, kBusy_ms),
      events_([this](const SessionEvent& event) { writeEvent(event); },
              [this](const ContactEpisode& episode) { writeEpisode(episode); }),
      keyframeEvery_(header.keyframeEvery),
      rate_(header.rate) {
  for (const content::Parameter& p : scene.parameters) header.parameters[p.name] = p.value;
  // In WAL mode committed data survives the end of the process. Commits do not wait for the disk.
  file_.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  // Replaces SQLite's own hook, which copies the log into the file within a commit: see checkpointer.h.
  sqlite3_wal_hook(file_.getHandle(), &noteLog, &logFrames_);
  file_.exec(fmt::format("BEGIN; PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId,
                         kFormatVersion));
  file_.exec(kSchema);
  writeHeader(header);
  writeScene(scene, world);
  StepRecord start;
  start.tick = world.stepResult();
  chain_ = chainStart(header);
  tick_ = -1;
  rateChangeTick_ = 0;
  write(start);
  commit();
}

SQLite::Statement& SessionWriter::statement(std::string_view table, int columns) {
  const auto found = statements_.find(table);
  if (found != statements_.end()) return found->second;
  std::string sql = fmt::format("INSERT INTO {} VALUES (?", table);
  for (int k = 1; k < columns; ++k) sql += ",?";
  return statements_.emplace(table, SQLite::Statement(file_, sql + ")")).first->second;
}

void SessionWriter::writeHeader(const SessionHeader& header) {
  const ProgramIdentity& program = header.program;
  Row(statement("session", 18))
      .add(1)
      .add(header.started)
      .add(program.version)
      .add(program.sources)
      .add(program.arithmetic)
      .add(program.compiler)
      .add(program.processor)
      .add(program.cpuFeatures)
      .add(program.cLibrary)
      .add(program.build)
      .add(program.system)
      .add(header.sceneFile)
      .add(header.sceneText)
      .add(header.solver)
      .add(header.rate)
      .add(fmt::format("{}", header.seed))
      .add(header.threads)
      .add(header.keyframeEvery)
      .write();
  for (const auto& [path, bytes] : header.meshFiles)
    Row(statement("mesh_file", 3)).add(path).add(bits(bytesHash(bytes))).addBytes(bytes).write();
  int seq = 0;
  for (const std::string& option : header.solverOptions)
    Row(statement("solver_option", 2)).add(seq++).add(option).write();
}

void SessionWriter::writeScene(const content::Scene& scene, const physics::World& world) {
  for (const content::Parameter& p : scene.parameters)
    Row(statement("parameter", 3)).add(p.name).add(p.value).add(p.unit).write();
  int id = 0;
  for (const content::Part& part : scene.parts) {
    const physics::BodyId body{id++};
    Row(statement("body", 7))
        .add(body.value)
        .add(part.name)
        .add(physics::toText(part.motion))
        .add(part.motion == physics::MotionType::dynamic ? part.mass.mass : 0.0)
        .add(world.partPose(body, physics::BodyState()).p)
        .write();
  }
  id = 0;
  for (const content::Hand& hand : scene.hands) Row(statement("hand", 2)).add(id++).add(hand.name).write();
  id = 0;
  for (const content::Joint& joint : scene.joints)
    Row(statement("joint", 5))
        .add(id++)
        .add(joint.name)
        .add(physics::toText(joint.kind))
        .add(joint.part)
        .addIndex(joint.to)
        .write();
  id = 0;
  for (const content::Goal& goal : scene.goals)
    Row(statement("goal", 6))
        .add(id++)
        .add(goal.name)
        .add(goal.part)
        .add(goal.into)
        .add(goal.hole)
        .add(goal.depth)
        .write();
}

void SessionWriter::begin() {
  file_.exec("BEGIN");
}

std::size_t SessionWriter::logBytes() const {
  constexpr std::size_t kFrame = 4096 + 24;  // a page and its frame header
  return static_cast<std::size_t>(logFrames_) * kFrame;
}

void SessionWriter::commit() {
  file_.exec("COMMIT");
  committedTime_ = sessionTime_;
}

void SessionWriter::write(const StepRecord& record) {
  if (!record.isStep) return writeMarks(record);
  ++tick_;
  time_ = record.tick.time;
  for (const WorldChange& change : record.changes) {
    const auto* const rate = std::get_if<SetRate>(&change);
    if (rate == nullptr) continue;
    rate_ = rate->rate;
    rateChangeTick_ = tick_ - 1;
    sessionTimeAtRateChange_ = sessionTime_;
  }
  // Computed from the tick count, so that rounding errors do not accumulate.
  sessionTime_ = sessionTimeAtRateChange_ + static_cast<double>(tick_ - rateChangeTick_) * (1 / rate_);
  const std::uint64_t hash = physics::stateHash(record.tick.bodies);
  chain_ = chainNext(chain_, record.commands, hash, record.changes);
  const bool keyframe = tick_ % keyframeEvery_ == 0;
  writeTick(record, hash, keyframe);
  writeInputs(record);
  writeCommands(record);
  if (keyframe) writeKeyframe(record);
  events_.add(tick_, record);
}

void SessionWriter::writeMarks(const StepRecord& record) {
  for (const SessionMark& mark : record.marks) events_.add(tick_, time_, mark);
}

void SessionWriter::writeTick(const StepRecord& record, std::uint64_t hash, bool keyframe) {
  const physics::StepResult& tick = record.tick;
  Row(statement("tick", 13))
      .add(tick_)
      .add(tick.step)
      .add(tick.time)
      .add(sessionTime_)
      .add(bits(hash))
      .add(bits(chain_))
      .add(keyframe ? 1 : 0)
      .add(tick.report.converged ? 1 : 0)
      .add(tick.report.contacts)
      .add(tick.report.linearizations)
      .add(tick.report.residual)
      .add(tick.report.penetration)
      .add(record.step_us)
      .write();
}

void SessionWriter::writeInputs(const StepRecord& record) {
  samples_.resize(record.samples.size());
  for (std::size_t h = 0; h < record.samples.size(); ++h) {
    const xr::HandSample& s = record.samples[h];
    if (tick_ > 1 && sameBytes(s, samples_[h])) continue;
    samples_[h] = s;
    Row row(statement("hand_input", 28));
    row.add(tick_).add(static_cast<int>(h)).add(s.tracked ? 1 : 0).add(s.closed ? 1 : 0);
    row.addIndex(s.wantedPart).add(s.posesPart ? 1 : 0).add(s.X_WH);
    if (s.frameBlend)
      row.add(s.frameBlend->fraction).add(s.frameBlend->start);
    else
      row.null(8);
    row.add(s.X_WH_closed).write();
  }
  if (!record.head || sameBytes(record.head->pose, head_)) return;
  head_ = record.head->pose;
  Row(statement("head_pose", 8)).add(tick_).add(head_).write();
}

void SessionWriter::writeCommands(const StepRecord& record) {
  int seq = 0;
  const auto add = [&](const CommandRow& c) {
    Row row(statement("command", 15));
    row.add(tick_).add(seq++).add(c.kind).addIndex(c.hand).addIndex(c.body).add(c.X);
    row.addIf(c.toTick.has_value(), c.toTick.value_or(0)).addIf(!c.solver.empty(), c.solver);
    row.addIf(c.rate > 0, c.rate);
    row.write();
    if (c.dynamics || c.thruster >= 0) writeValues(c, seq - 1);
  };
  for (const WorldChange& change : record.changes) add(rowOf(change));
  for (const physics::Command& command : record.commands) add(rowOf(command));
}

void SessionWriter::writeValues(const CommandRow& c, int seq) {
  Row row(statement("command_value", 10));
  row.add(tick_).add(seq);
  const physics::Dynamics d = c.dynamics.value_or(physics::Dynamics{});
  for (const double value : {d.gravity.x(), d.gravity.y(), d.gravity.z(), d.linearDamping, d.angularDamping})
    row.addIf(c.dynamics.has_value(), value);
  row.addIf(d.restitution.has_value(), d.restitution.value_or(0));
  row.addIndex(c.thruster).addIf(c.thruster >= 0, c.level);
  row.write();
}

void SessionWriter::writeKeyframe(const StepRecord& record) {
  const physics::StepResult& tick = record.tick;
  states_.resize(tick.bodies.size());
  const bool whole = tick_ / keyframeEvery_ % kWholeEvery == 0;
  for (std::size_t b = 0; b < tick.bodies.size(); ++b) {
    const physics::BodyState& state = tick.bodies[b];
    if (!whole && sameBytes(state, states_[b])) continue;
    states_[b] = state;
    Row row(statement("body_state", 15));
    row.add(tick_).add(static_cast<int>(b)).add(state.X_WC).add(state.v).add(state.omega).write();
  }
  int k = 0;
  for (const physics::HandState& hand : tick.hands) {
    Row row(statement("hand_state", 16));
    row.add(tick_).add(k++).addIndex(hand.body.value).add(hand.X_WH).add(hand.force).add(hand.torque).write();
  }
  k = 0;
  for (const physics::JointState& j : tick.joints) {
    Row row(statement("joint_state", 11));
    row.add(tick_)
        .add(k++)
        .add(physics::toText(j.phase))
        .add(j.angle)
        .add(j.travel)
        .add(j.force)
        .add(j.torque)
        .write();
  }
  k = 0;
  for (const physics::ContactForce& c : tick.contacts) {
    Row row(statement("contact", 17));
    row.add(tick_).add(k++).add(c.contact.i.value).add(c.contact.j.value).add(c.contact.p).add(c.contact.n);
    row.add(c.contact.separation).add(c.force).add(c.friction).add(c.mu).add(bits(c.contact.feature)).write();
  }
  k = 0;
  for (const GoalState& g : record.goals) {
    Row row(statement("goal_state", 7));
    row.add(tick_)
        .add(k++)
        .add(toText(g.verdict))
        .add(g.depth)
        .add(g.tilt)
        .add(g.push)
        .add(g.maxPush)
        .write();
  }
}

void SessionWriter::writeEvent(const SessionEvent& event) {
  Row row(statement("event", 9));
  row.null().add(event.tick).add(event.time).add(event.kind);
  row.addIndex(event.hand).addIndex(event.body).addIndex(event.other).addIndex(event.goal).add(event.text);
  row.write();
}

void SessionWriter::writeEpisode(const ContactEpisode& e) {
  Row(statement("contact_episode", 11))
      .null()
      .add(e.i)
      .add(e.j)
      .add(e.firstTick)
      .add(e.lastTick)
      .add(e.start)
      .add(e.end)
      .add(e.loadedTicks)
      .add(e.peakForce)
      .add(e.peakTick)
      .add(e.meanForce())
      .write();
}

void SessionWriter::finish(const std::string& text) {
  file_.exec("PRAGMA synchronous = FULL");
  begin();
  events_.finish();
  SessionEvent event;
  event.tick = tick_;
  event.time = time_;
  event.kind = "end";
  event.text = text;
  writeEvent(event);
  commit();
  statements_.clear();
  // If another program has the file open, the log stays beside it; no data is lost.
  file_.tryExec("PRAGMA journal_mode = DELETE");
}

}  // namespace tenon::runtime
