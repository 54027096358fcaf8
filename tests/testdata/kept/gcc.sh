#!/bin/sh
# A wrapper that adds what $FLAGS names, and from $HIDDEN what it does not show.
hidden=$(cat "$HIDDEN" 2>/dev/null)
case " $* " in *" -### "*) hidden= ;; esac
[ -z "$LOG" ] || echo " $* " >> "$LOG"
exec "$GCC" $(cat "$FLAGS" 2>/dev/null) $hidden "$@"
