// The name of the trust subject for skills, shared by two files.

export const subjectName = 'instructions';
