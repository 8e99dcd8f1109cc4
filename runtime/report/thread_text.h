// Sentences about the threads of a goal.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "runtime/assess/thread_engagement.h"

namespace tenon::runtime {

/// Of a thread that is neither crossed nor where its goal is: "wrong pitch: M8x1 in M8", "the thread is
/// started: 2.08 of 3 turns".
std::string threadStateText(const ThreadEngagement& thread, const content::Goal& goal);

/// Of the verdicts started, tight, stripped and cross-threaded.
std::string startedText(const ThreadEngagement& thread);
std::string tightText(const ThreadEngagement& thread);
std::string strippedText(const ThreadEngagement& thread, const content::Goal& goal);
std::string crossedText(const ThreadEngagement& thread);

}  // namespace tenon::runtime
