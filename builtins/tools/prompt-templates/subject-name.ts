// Defines the name of the trust subject for prompt templates.

export const subjectName = 'prompts';
