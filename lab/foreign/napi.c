// A Node-API addon, by hand: what a generator of bindings would write.
#include <node_api.h>
#include "call/add.h"

static napi_value call_add(napi_env env, napi_callback_info info) {
	napi_value arguments[2], result;
	size_t count = 2;
	int32_t a, b;
	if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != napi_ok || count != 2 ||
	    napi_get_value_int32(env, arguments[0], &a) != napi_ok || napi_get_value_int32(env, arguments[1], &b) != napi_ok) {
		napi_throw_type_error(env, NULL, "want two numbers");
		return NULL;
	}
	return napi_create_int32(env, add(a, b), &result) == napi_ok ? result : NULL;
}

static napi_value call_clock(napi_env env, napi_callback_info info) {
	napi_value result;
	return napi_create_double(env, thread_ns(), &result) == napi_ok ? result : NULL;
}

NAPI_MODULE_INIT() {
	napi_value function;
	napi_create_function(env, "add", NAPI_AUTO_LENGTH, call_add, NULL, &function);
	napi_set_named_property(env, exports, "add", function);
	napi_create_function(env, "thread_ns", NAPI_AUTO_LENGTH, call_clock, NULL, &function);
	napi_set_named_property(env, exports, "thread_ns", function);
	return exports;
}
