// The name of the trust subject, for all files that need it.

export const subjectName = 'bundle';
