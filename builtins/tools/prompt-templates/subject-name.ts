// What a person is asked to trust.

export const subjectName = 'prompts';
