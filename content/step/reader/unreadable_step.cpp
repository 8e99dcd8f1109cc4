// See unreadable_step.h.
#include "content/step/reader/unreadable_step.h"

#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>

#include <exception>
#include <new>
#include <string>

namespace tenon::content {

namespace {

constexpr const char* kRepair = "repair the part in CAD and export it again";

}  // namespace

StepProblem tooLarge() {
  return {"", "needs more memory than allowed", "export the part with fewer details"};
}

StepProblem problemOfException() {
  try {
    throw;
  } catch (const UnreadableStep& error) {
    return error.details();
  } catch (const Standard_OutOfMemory&) {
    return tooLarge();
  } catch (const Standard_Failure& failure) {
    return {"",
            std::string("is not geometry that OpenCASCADE can read (") + failure.DynamicType()->Name() + ")",
            kRepair};
  } catch (const std::bad_alloc&) {
    return tooLarge();
  } catch (const std::exception& error) {
    return {"", std::string("cannot be read (") + error.what() + ")", kRepair};
  }
}

}  // namespace tenon::content
