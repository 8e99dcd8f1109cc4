// Values are bound by position: the order of the columns is that of schema.cpp.
#include "runtime/record/session_writer.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <utility>

#include "physics/body/state_hash.h"
#include "runtime/record/command_row.h"
#include "runtime/record/hash_chain.h"
#include "runtime/record/schema.h"

namespace tenon::runtime {

namespace {

/// Longest lock of the file by another program that reads or copies it; the queue buffers steps meanwhile.
constexpr int kBusy_ms = 60000;

/// Callback of sqlite3_wal_hook: runs after each commit.
int noteLog(void* frames, sqlite3* /*file*/, const char* /*name*/, int inLog) {
  *static_cast<int*>(frames) = inLog;
  return SQLITE_OK;
}

bool isSameSample(const xr::HandSample& a, const xr::HandSample& b) {
  const bool frameBlend = a.frameBlend.has_value() == b.frameBlend.has_value() &&
                          (!a.frameBlend || (isSamePose(a.frameBlend->start, b.frameBlend->start) &&
                                             a.frameBlend->fraction == b.frameBlend->fraction));
  return a.tracked == b.tracked && a.closed == b.closed && a.wantedPart == b.wantedPart &&
         a.posesPart == b.posesPart && frameBlend && isSamePose(a.X_WH, b.X_WH) &&
         isSamePose(a.X_WH_closed, b.X_WH_closed);
}

}  // namespace

SessionWriter::SessionWriter(const std::string& path, SessionHeader header, const content::Scene& scene,
                             const physics::World& world)
    : file_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX, kBusy_ms),
      statements_(file_),
      keyframes_(statements_),
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

void SessionWriter::writeHeader(const SessionHeader& header) {
  const ProgramIdentity& program = header.program;
  InsertRow(statements_.into("session", 18))
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
    InsertRow(statements_.into("mesh_file", 3))
        .add(path)
        .add(signedHash(bytesHash(bytes)))
        .addBytes(bytes)
        .write();
  int seq = 0;
  for (const std::string& option : header.solverOptions)
    InsertRow(statements_.into("solver_option", 2)).add(seq++).add(option).write();
}

void SessionWriter::writeScene(const content::Scene& scene, const physics::World& world) {
  for (const content::Parameter& p : scene.parameters)
    InsertRow(statements_.into("parameter", 3)).add(p.name).add(p.value).add(p.unit).write();
  int id = 0;
  for (const content::Part& part : scene.parts) {
    const physics::BodyId body{id++};
    InsertRow(statements_.into("body", 7))
        .add(body.value)
        .add(part.name)
        .add(physics::toText(part.motion))
        .add(part.motion == physics::MotionType::dynamic ? part.mass.mass : 0.0)
        .add(world.partPose(body, physics::BodyState()).p)
        .write();
  }
  id = 0;
  for (const content::Hand& hand : scene.hands)
    InsertRow(statements_.into("hand", 2)).add(id++).add(hand.name).write();
  id = 0;
  for (const content::Joint& joint : scene.joints)
    InsertRow(statements_.into("joint", 5))
        .add(id++)
        .add(joint.name)
        .add(physics::toText(joint.kind))
        .add(joint.part)
        .addIndex(joint.to)
        .write();
  id = 0;
  for (const content::Goal& goal : scene.goals)
    InsertRow(statements_.into("goal", 6))
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
  for (std::size_t seq = 0; seq < moves_.size(); ++seq) writeRepetition(moves_[seq], static_cast<int>(seq));
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
  if (keyframe) keyframes_.write(tick_, tick_ / keyframeEvery_, record);
  events_.add(tick_, record);
}

void SessionWriter::writeMarks(const StepRecord& record) {
  for (const SessionMark& mark : record.marks) events_.add(tick_, time_, mark);
}

void SessionWriter::writeTick(const StepRecord& record, std::uint64_t hash, bool keyframe) {
  const physics::StepResult& tick = record.tick;
  InsertRow(statements_.into("tick", 13))
      .add(tick_)
      .add(tick.step)
      .add(tick.time)
      .add(sessionTime_)
      .add(signedHash(hash))
      .add(signedHash(chain_))
      .add(keyframe ? 1 : 0)
      .add(tick.report.converged ? 1 : 0)
      .add(tick.report.contacts)
      .add(tick.report.linearizations)
      .add(tick.report.residual)
      .add(tick.report.penetration)
      .add(std::round(record.step_us))
      .write();
}

void SessionWriter::writeInputs(const StepRecord& record) {
  samples_.resize(record.samples.size());
  for (std::size_t h = 0; h < record.samples.size(); ++h) {
    const xr::HandSample& s = record.samples[h];
    if (tick_ > 1 && isSameSample(s, samples_[h])) continue;
    const xr::HandSample before = std::exchange(samples_[h], s);
    InsertRow row(statements_.into("hand_input", 28));
    row.add(tick_).add(static_cast<int>(h)).add(s.tracked ? 1 : 0).add(s.closed ? 1 : 0);
    row.addIndex(s.wantedPart).add(s.posesPart ? 1 : 0).add(s.X_WH);
    if (s.frameBlend)
      row.add(s.frameBlend->fraction).add(s.frameBlend->start);
    else
      row.null(8);
    const bool closedAsBefore = tick_ > 1 && isSamePose(s.X_WH_closed, before.X_WH_closed);
    row.add(closedAsBefore ? std::nullopt : s.X_WH_closed).write();
  }
  if (!record.head || isSamePose(record.head->pose, head_)) return;
  head_ = record.head->pose;
  InsertRow(statements_.into("head_pose", 8)).add(tick_).add(head_).write();
}

void SessionWriter::writeCommands(const StepRecord& record) {
  int seq = 0;
  for (const WorldChange& change : record.changes) writeCommand(rowOf(change), seq++);
  for (const physics::Command& command : record.commands) writeCommand(rowOf(command), seq++);
}

/// A hand that stays where it is gets the same command in each tick, and one row for all of them.
void SessionWriter::writeCommand(const CommandRow& c, int seq) {
  if (moves_.size() <= static_cast<std::size_t>(seq)) moves_.resize(static_cast<std::size_t>(seq) + 1);
  RepeatedMove& move = moves_[static_cast<std::size_t>(seq)];
  const bool isMove = c.kind == "move" && c.X;
  if (isMove && move.last == tick_ - 1 && move.hand == c.hand && isSamePose(move.X, *c.X)) {
    move.last = tick_;
    return;
  }
  writeRepetition(move, seq);
  move = {};
  if (isMove) move = {tick_, tick_, tick_, c.hand, *c.X};
  InsertRow row(statements_.into("command", 16));
  row.add(tick_).add(seq).add(c.kind).addIndex(c.hand).addIndex(c.body).add(c.X);
  row.addIf(c.toTick.has_value(), c.toTick.value_or(0)).addIf(!c.solver.empty(), c.solver);
  row.addIf(c.rate > 0, c.rate).null();
  row.write();
  if (c.dynamics || c.thruster >= 0) writeValues(c, seq);
}

void SessionWriter::writeRepetition(RepeatedMove& move, int seq) {
  if (move.last == move.written) return;
  SQLite::Statement& update =
      statements_.prepared("UPDATE command SET last_tick = ? WHERE tick = ? AND seq = ?");
  update.bind(1, move.last);
  update.bind(2, move.tick);
  update.bind(3, seq);
  update.exec();
  update.reset();
  move.written = move.last;
}

void SessionWriter::writeValues(const CommandRow& c, int seq) {
  InsertRow row(statements_.into("command_value", 10));
  row.add(tick_).add(seq);
  const physics::Dynamics d = c.dynamics.value_or(physics::Dynamics{});
  for (const double value : {d.gravity.x(), d.gravity.y(), d.gravity.z(), d.linearDamping, d.angularDamping})
    row.addIf(c.dynamics.has_value(), value);
  row.addIf(d.restitution.has_value(), d.restitution.value_or(0));
  row.addIndex(c.thruster).addIf(c.thruster >= 0, c.level);
  row.write();
}

void SessionWriter::writeEvent(const SessionEvent& event) {
  InsertRow row(statements_.into("event", 9));
  row.null().add(event.tick).add(event.time).add(event.kind);
  row.addIndex(event.hand).addIndex(event.body).addIndex(event.other).addIndex(event.goal).add(event.text);
  row.write();
}

void SessionWriter::writeEpisode(const ContactEpisode& e) {
  InsertRow(statements_.into("contact_episode", 11))
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
