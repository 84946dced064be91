"""Wrong subjects of the conformance kit, one defect each; a file opens with the rule that it breaks, and how."""
