"""From what sensors feel to what hands have done: belief, explanations, questions and hints."""
