# Writes two headers with the identity of the build, if they change: tenon_sources.h with a hash of all sources and
# libraries that decide how a world moves, and tenon_commit.h with the commit (empty outside of a checkout). They are
# separate so that a commit recompiles one file only.
# cmake -DROOT=… -DOUT=FOLDER -DLIBRARIES=… -P sources.cmake
set(all "${LIBRARIES}\n")
foreach(room physics content xr/hands xr/interaction)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${room}/*.h ${ROOT}/${room}/*.cpp)
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND all "${file} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUT}/tenon_sources.h CONTENT
     "// Made by runtime/record/sources.cmake.\n#define TENON_SOURCES \"${hash}\"\n#define TENON_LIBRARIES \"${LIBRARIES}\"\n")

# The commit of this tree, not of one that it was unpacked in; the index is only read.
get_filename_component(above ${ROOT} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${above})
set(ENV{GIT_OPTIONAL_LOCKS} 0)
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${ROOT} describe --always --exclude=* --abbrev=12 "--dirty=, modified"
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUT}/tenon_commit.h CONTENT
     "// Made by runtime/record/sources.cmake.\n#define TENON_COMMIT \"${commit}\"\n")
