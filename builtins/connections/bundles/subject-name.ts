// Defines the name of the trust subject.

export const subjectName = 'bundle';
