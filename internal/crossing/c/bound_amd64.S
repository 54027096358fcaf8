//go:build ignore

// The calls of package direct's funcs, amd64. The number in their names is that of a binding's
// layout. The first three are the code of funcs whose arguments are where C wants them
// (abi.Plan says which are few), the others are for code that brings them there.

	CALL_C _wherry_bound2_straight, 6, weak, bound=1, wary=1, two=1
	CALL_C _wherry_bound2_straightFew, 2, weak, bound=1, wary=1
	CALL_C _wherry_bound2_straightErrno, 6, weak, bound=1, full=1, wary=1, two=1
	CALL_C _wherry_bound2_enter, 6, weak, bound=1, two=1
	CALL_C _wherry_bound2_enterFull, 6, weak, bound=1, full=1, two=1
