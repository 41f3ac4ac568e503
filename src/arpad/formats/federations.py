"""The codes of chess federations, as FIDE's lists print them. They follow no other standard."""

from __future__ import annotations

#: Members, and FID (no federation) and NON (not said).
FEDERATIONS = frozenset(
    """
    AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BER BHU BIH BIZ BLR BOL BOT BRA BRN BRU
    BUL BUR CAF CAM CAN CAY CHA CHI CHN CIV CMR COD COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI
    ESA ESP EST ETH FAI FID FIJ FIN FRA GAB GAM GCI GEO GEQ GER GHA GRE GRN GUA GUM GUY HAI HKG HON HUN INA IND IOM
    IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES LIE LTU
    LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN MYA NAM NCA NED NEP NGR NIG NON NOR NRU
    NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROU RSA RUS RWA SCO SEN SEY SGP SKN SLE SLO SMR SOL SOM
    SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA UKR URU USA UZB
    VAN VEN VIE VIN WLS YEM ZAM ZIM
    """.split()  # noqa: SIM905 - a list of strings would be 230 lines
)
#: Codes of federations that are no more, or are called otherwise now; old reports have them.
FORMER = frozenset("CSR EUN FGR FRG GDR IRN MNG ROM SCG TCH URS YUG".split())  # noqa: SIM905
#: The continents as FIDE's continental bodies divide the world: Oceania goes with Asia.
CONTINENTS = {
    "Africa": frozenset(
        """
        ALG ANG BDI BOT BUR CAF CHA CIV CMR COD COM CPV DJI EGY ERI ETH GAB GAM GEQ GHA KEN LBA LBR LES MAD MAR MAW MLI
        MOZ MRI MTN NAM NGR NIG RSA RWA SEN SEY SLE SOM SSD STP SUD SWZ TAN TOG TUN UGA ZAM ZIM
        """.split()  # noqa: SIM905
    ),
    "Americas": frozenset(
        """
        AHO ANT ARG ARU BAH BAR BER BIZ BOL BRA CAN CAY CHI COL CRC CUB DMA DOM ECU ESA GRN GUA GUY HAI HON ISV IVB JAM
        LCA MEX NCA PAN PAR PER PUR SKN SUR TTO URU USA VEN VIN
        """.split()  # noqa: SIM905
    ),
    "Asia": frozenset(
        """
        AFG AUS BAN BHU BRN BRU CAM CHN FIJ GUM HKG INA IND IRI IRQ JOR JPN KAZ KGZ KOR KSA KUW LAO LBN MAC MAS MDV MGL
        MYA NEP NRU NZL OMA PAK PHI PLE PLW PNG QAT SGP SOL SRI SYR TGA THA TJK TKM TLS TPE UAE UZB VAN VIE YEM
        """.split()  # noqa: SIM905
    ),
    "Europe": frozenset(
        """
        ALB AND ARM AUT AZE BEL BIH BLR BUL CRO CYP CZE DEN ENG ESP EST FAI FIN FRA GCI GEO GER GRE HUN IOM IRL ISL ISR
        ITA JCI KOS LAT LIE LTU LUX MDA MKD MLT MNC MNE NED NOR POL POR ROU RUS SCO SLO SMR SRB SUI SVK SWE TUR UKR WLS
        """.split()  # noqa: SIM905
    ),
}


def continent(federation: str) -> str:
    """The continent of a federation's code; blank for one that is in none."""
    return next((name for name, codes in CONTINENTS.items() if federation in codes), "")
