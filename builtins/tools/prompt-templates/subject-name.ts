// Defines the name of the trust subject for templates.

export const subjectName = 'prompts';
