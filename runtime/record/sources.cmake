# Writes a header with a hash of all sources and libraries that decide how a world moves, where it has changed.
# cmake -DROOT=… -DOUT=… -DLIBRARIES=… -P sources.cmake
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
file(CONFIGURE OUTPUT ${OUT} CONTENT "// Made by runtime/record/sources.cmake.\n#define TENON_SOURCES \"${hash}\"\n")
