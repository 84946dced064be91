"""The report's parts: findings, their rules, and the verdicts.

finding     a smallest program that breaks a rule
shown       its difference, in the terms of the signs
signs       how each primitive shows that a rule is broken; `symptoms` tries those of the subject's names
verdicts    the state of each rule
"""
