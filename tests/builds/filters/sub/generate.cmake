file(READ ${FROM} text)
string(REPLACE "relative" "generated" text "${text}")
file(WRITE generated.c "${text}")
