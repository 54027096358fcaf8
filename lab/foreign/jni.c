// What JNI calls.
#include <jni.h>
#include "call/add.h"

JNIEXPORT jint JNICALL Java_Call_add(JNIEnv *env, jclass class, jint a, jint b) { return add(a, b); }
