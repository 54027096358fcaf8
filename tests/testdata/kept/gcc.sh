#!/bin/sh
# A wrapper that adds what $FLAGS names, and from $HIDDEN what it does not show.
hidden=$(cat "$HIDDEN" 2>/dev/null)
case " $* " in *" -### "*) hidden= ;; esac
[ -z "$LOG" ] || echo " $* " >> "$LOG"
# Somebody writes a file while it is compiled.
case " $* " in *" -c "*part.c*) [ ! -f "$NEXT" ] || mv "$NEXT" part.c ;; esac
exec "$GCC" $(cat "$FLAGS" 2>/dev/null) $hidden "$@"
