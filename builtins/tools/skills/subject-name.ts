// What a person is asked to trust: one name for both files that need it.

export const subjectName = 'instructions';
