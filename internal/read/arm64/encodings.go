package arm64

// An encoding is the bits that an instruction, or several, have in common: those of the mask.
type encoding struct{ mask, value uint32 }

// Encodings by the mnemonics of the manual.
var (
	pacLR       = encoding{0xffffebff, 0xdac103fe} // PACIA, PACIB, AUTIA, AUTIB of the return address
	mov         = encoding{0x7fe0ffe0, 0x2a0003e0} // MOV of a register
	condSelect  = encoding{0x1fe00000, 0x1a800000} // CSEL, CSINC, CSINV, CSNEG
	condCompare = encoding{0x1fe00000, 0x1a400000} // CCMP, CCMN
	condNegate  = encoding{0xffe00c00, 0xda800400} // CSNEG, of 64 bits
	withCarry   = encoding{0x1fe00000, 0x1a000000} // ADC, SBC, RMIF, SETF8, SETF16
	subps       = encoding{0x7fe0fc00, 0x3ac00000} // SUBPS

	addvl   = encoding{0xffa0f000, 0x04205000} // ADDVL, ADDPL
	addsvl  = encoding{0xffa0f800, 0x04205800} // ADDSVL, ADDSPL
	fcmp    = encoding{0x5f203c07, 0x1e202000} // FCMP, FCMPE
	fp2     = encoding{0x5f200c00, 0x1e200800} // FADD, FMUL and others of two sources
	fcsel   = encoding{0x5f200c00, 0x1e200c00} // FCSEL
	fp3     = encoding{0x5f000000, 0x1f000000} // FMADD, FMSUB, FNMADD, FNMSUB
	fp1     = encoding{0x5f207c00, 0x1e204000} // FMOV, FABS, FNEG, FSQRT and others of one source
	fmovImm = encoding{0x5f201c00, 0x1e201000} // FMOV of a constant

	bImm        = encoding{0x7c000000, 0x14000000} // B, BL
	cbz         = encoding{0x7e000000, 0x34000000} // CBZ, CBNZ
	tbz         = encoding{0x7e000000, 0x36000000} // TBZ, TBNZ
	bCond       = encoding{0xff000000, 0x54000000} // B.cond, BC.cond
	svc         = encoding{0xffe0001f, 0xd4000001} // SVC
	brk         = encoding{0xffe0001f, 0xd4200000} // BRK
	hlt         = encoding{0xffe0001f, 0xd4400000} // HLT
	systemSpace = encoding{0xffc00000, 0xd5000000} // hints, barriers, system registers, cache maintenance
	br          = encoding{0xfffffc1f, 0xd61f0000} // BR
	braaz       = encoding{0xfffff81f, 0xd61f081f} // BRAAZ, BRABZ
	braa        = encoding{0xfffff800, 0xd71f0800} // BRAA, BRAB
	blr         = encoding{0xfffffc1f, 0xd63f0000} // BLR
	blraaz      = encoding{0xfffff81f, 0xd63f081f} // BLRAAZ, BLRABZ
	blraa       = encoding{0xfffff800, 0xd73f0800} // BLRAA, BLRAB
	ret         = encoding{0xfffffc1f, 0xd65f0000} // RET
	retaa       = encoding{0xfffffbff, 0xd65f0bff} // RETAA, RETAB

	hint     = encoding{0xfffff01f, 0xd503201f} // NOP, YIELD, WFE, WFI, BTI, PACIASP and other hints
	wfet     = encoding{0xffffffc0, 0xd5031000} // WFET, WFIT
	barriers = encoding{0xfffff000, 0xd5033000} // CLREX, SB, DSB, DMB, ISB
	tstart   = encoding{0xffffffe0, 0xd5233060} // TSTART, which returns again when the transaction fails
	gcs      = encoding{0xffdfff00, 0xd50b7700} // GCSPUSHM, GCSSS1, GCSPOPM: another shadow stack
	sysl     = encoding{0xffe00000, 0xd5200000} // SYSL, MRS of what is no system register
	mrs      = encoding{0xfff00000, 0xd5300000} // MRS
	clock    = encoding{0xfffffe00, 0xd53be000} // MRS of CNTVCT_EL0 and its kin
	sys      = encoding{0xfff80000, 0xd5080000} // SYS: DC, IC and the like
	cfinv    = encoding{0xffffff9f, 0xd500401f} // CFINV, XAFLAG, AXFLAG
	msrNZCV  = encoding{0xffffffe0, 0xd51b4200} // MSR of NZCV
	ssbs     = encoding{0xfffff0ff, 0xd503403f} // MSR of SSBS by a constant
	dit      = encoding{0xfffff0ff, 0xd503405f} // of DIT
	tco      = encoding{0xfffff0ff, 0xd503409f} // of TCO
	msrSSBS  = encoding{0xffffffe0, 0xd51b42c0} // MSR of SSBS
	msrDIT   = encoding{0xffffffe0, 0xd51b42a0} // of DIT
	msrTCO   = encoding{0xffffffe0, 0xd51b42e0} // of TCO
	msrFPCR  = encoding{0xffffffc0, 0xd51b4400} // of FPCR, FPSR

	ldar  = encoding{0x3fe08000, 0x08c08000} // LDAR, LDARB, LDARH
	ldapr = encoding{0x3ffffc00, 0x38bfc000} // LDAPR, LDAPRB, LDAPRH
	casp  = encoding{0xbfa00000, 0x08200000} // CASP
)

// is reports whether the instruction is one of these.
func (d *decoder) is(list ...encoding) bool {
	for _, e := range list {
		if d.word&e.mask == e.value {
			return true
		}
	}
	return false
}
