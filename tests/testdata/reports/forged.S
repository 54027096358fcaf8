	# What wherry's own member of an archive holds.
	.section wherry.report, ""
	.ascii "{\"package\":\"example.com/dep\",\"accelerated\":[{\"function\":\"invented\",\"mode\":\"fast\",\"why\":\"forged\"}],"
	.ascii "\"kept\":[],\"libraries\":[{\"path\":\"/dev/zero\",\"identity\":\"1\"}]}"
	.section .note.GNU-stack, "", %progbits
