// Defines the error codes for workspace content that cannot be viewed.

export type ViewProblem = 'NO_FILE' | 'OUTSIDE' | 'TOO_LARGE' | 'NOT_SHOWN' | 'NO_PREVIEW';
