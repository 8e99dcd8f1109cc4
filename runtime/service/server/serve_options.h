// Settings of `tenon serve`.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::service {

struct ServeOptions {
  std::string listen;       ///< "unix:PATH" or "HOST:PORT"; empty: unix:DATA/tenon.sock
  std::string http;         ///< "HOST:PORT" of the page for browsers; empty: it is not served
  std::string data;         ///< folder of scenes and records; nothing else is written
  std::string certificate;  ///< PEM file of the server's certificate chain; empty: no TLS
  std::string key;          ///< PEM file of its private key
  std::string clientCa;   ///< PEM file of the authority of client certificates; empty: they are not required
  std::string tokens;     ///< file of clients; empty: every client that can connect may administer
  int maxSessions = 8;    ///< that run at the same time
  int maxJobs = 4;        ///< checks, verifications and the like that run at the same time
  int maxStudies = 1;     ///< that run at the same time
  int maxScenes = 1000;   ///< that are stored
  int maxUpload_mb = 64;  ///< of a scene with its files [MB]
  double maxProcessor_h = 0;  ///< processor time of a client in a day [h]; 0: no limit
  int maxSpace_mb = 0;        ///< of the scenes, records and studies of a client [MB]; 0: no limit
  double idleTimeout = 1800;  ///< a session without calls for this time ends [s]

  std::int64_t maxSpaceBytes() const { return std::int64_t{1'000'000} * maxSpace_mb; }
  std::int64_t maxUploadBytes() const { return std::int64_t{1'000'000} * maxUpload_mb; }
};

}  // namespace tenon::service
