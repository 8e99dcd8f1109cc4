# Compiles the files of each folder named by TENON_BATCHES in batches (CMake's unity builds), so that what
# headers cost is paid once a batch: for what compiles everything, as run.sh does. Elsewhere a changed file
# would recompile its batch.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# tenon_batches(target): batches.py says which files go together.
function(tenon_batches target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  if(NOT sources)
    return()  # headers alone
  endif()
  get_target_property(directory ${target} SOURCE_DIR)
  list(TRANSFORM sources PREPEND ${directory}/ REGEX "^[^/]")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/harness/batches.py ${sources}
                  OUTPUT_VARIABLE placed COMMAND_ERROR_IS_FATAL ANY)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  string(REGEX MATCHALL "[0-9]+\t[^\n]+" placed "${placed}")
  foreach(line ${placed})
    string(REPLACE "\t" ";" line "${line}")
    list(GET line 0 batch)
    list(GET line 1 source)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP batch${batch})
  endforeach()
endfunction()

foreach(folder ${TENON_BATCHES})
  if(folder MATCHES "^tests" AND NOT TENON_TESTS)
    continue()
  endif()
  get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    tenon_batches(${target})
  endforeach()
endforeach()
