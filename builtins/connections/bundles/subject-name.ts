// What a person is asked to trust: one name for all files that need it.

export const subjectName = 'bundle';
