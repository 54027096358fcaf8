package other

import "C"
