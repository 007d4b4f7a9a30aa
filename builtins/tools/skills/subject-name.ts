// Defines the name of the trust subject for skills.

export const subjectName = 'instructions';
