// The program `tenon`.
#include "runtime/commands/program.h"

int main(int argc, char** argv) {
  return tenon::runtime::runProgram(argc, argv);
}
