// tenon serve: the network service; and the command by which it starts the process of a session.
#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>

#include <memory>

#include "runtime/commands/command.h"
#include "runtime/commands/config_file.h"
#include "runtime/commands/service_support.h"
#include "runtime/service/server/serve_options.h"
#include "runtime/session/scene_options.h"

namespace tenon::runtime {

namespace {

struct WorkerDescriptors {
  int channel = -1, lifeline = -1;
};

void declareServe(CLI::App& command, service::ServeOptions& options) {
  command
      .add_option("--listen", options.listen,
                  "Address: unix:PATH or HOST:PORT; default: the socket tenon.sock in the data folder")
      ->type_name("ADDRESS");
  command
      .add_option("--http", options.http,
                  "Also show sessions and records in browsers, at HOST:PORT; default: no page")
      ->type_name("ADDRESS");
  command
      .add_option("--data", options.data,
                  "Folder of scenes and records; default: tenon/service in the user's data folder")
      ->type_name("DIR");
  auto* certificate =
      command.add_option("--certificate", options.certificate, "Certificate of the server for TLS (PEM)")
          ->type_name("FILE");
  auto* key =
      command.add_option("--key", options.key, "Private key of the certificate (PEM)")->type_name("FILE");
  certificate->needs(key);
  key->needs(certificate);
  command
      .add_option("--client-ca", options.clientCa,
                  "Also require certificates of clients, made by this authority (PEM)")
      ->type_name("FILE")
      ->needs(certificate);
  command
      .add_option("--tokens", options.tokens,
                  "File of clients, readable by its owner alone: lines ROLE NAME TOKEN; default: no tokens")
      ->type_name("FILE");
  command.add_option("--max-sessions", options.maxSessions, "Sessions that run at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--max-jobs", options.maxJobs,
                  "Checks of scenes, verifications and the like that run at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--max-studies", options.maxStudies, "Studies that run at the same time")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--max-scenes", options.maxScenes, "Scenes that are stored")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command.add_option("--max-upload", options.maxUpload_mb, "Size of a scene with its files [MB]")
      ->type_name("MB")
      ->check(CLI::Range(1, 2000))
      ->capture_default_str();
  command
      .add_option("--max-processor-hours", options.maxProcessor_h,
                  "Processor time of each client in a day [h]; 0: no limit")
      ->type_name("H")
      ->check(finiteIn(0, 1e6))
      ->capture_default_str();
  command
      .add_option("--max-space", options.maxSpace_mb,
                  "Size of the scenes, records and studies of each client [MB]; 0: no limit")
      ->type_name("MB")
      ->check(CLI::Range(0, 100'000'000))
      ->capture_default_str();
  command.add_option("--idle-timeout", options.idleTimeout, "A session without calls for this time ends [s]")
      ->type_name("S")
      ->check(finiteIn(1, 1e9))
      ->capture_default_str();
  addConfigFile(command);
  command.footer(
      "Runs sessions for other programs over gRPC: from Python with tenon.connect(), from other languages\n"
      "with runtime/service/tenon/v1/*.proto. Each session has a process of its own. Prints the address\n"
      "and, on stderr, a log of JSON lines. SIGTERM and Ctrl-C complete all records, then the exit code\n"
      "is 0.\n\n"
      "--http serves a page for any browser: running sessions live, and records. It shows, and changes\n"
      "nothing. With --tokens a person signs in with a token, or opens a link that ends in #token=TOKEN.\n\n"
      "A Unix socket is open to this user, 127.0.0.1 to all users of this machine unless there are tokens.\n"
      "Any other address needs --certificate, --key and --tokens. Roles of tokens: observe, work,\n"
      "administer, each with the rights of those before it.\n\n"
      "Examples:\n"
      "  tenon serve\n"
      "  tenon serve --listen 127.0.0.1:7171 --data sessions\n"
      "  tenon serve --listen 127.0.0.1:7171 --http 127.0.0.1:7180\n"
      "  tenon serve --listen 0.0.0.0:7171 --certificate server.pem --key server.key --tokens clients\n\n"
      "Exit codes: 0 stopped, 2 bad input or usage, 3 built without gRPC.");
}

}  // namespace

void addServeCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<service::ServeOptions>();
  CLI::App* command = program.add_subcommand("serve", "Run sessions for other programs, over the network");
  declareServe(*command, *options);
  command->callback([options, &exitCode] { exitCode = serve(*options); });

  const auto descriptors = std::make_shared<WorkerDescriptors>();
  // Without a group it is in no help and no manual.
  CLI::App* worker =
      program.add_subcommand("serve-worker", "The process of a session; started by tenon serve");
  worker->group("");
  worker->add_option("CHANNEL", descriptors->channel)->required()->check(CLI::Range(3, 1 << 20));
  worker->add_option("LIFELINE", descriptors->lifeline)->required()->check(CLI::Range(3, 1 << 20));
  worker->callback(
      [descriptors, &exitCode] { exitCode = serveWorker(descriptors->channel, descriptors->lifeline); });
}

}  // namespace tenon::runtime
