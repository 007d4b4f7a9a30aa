// Why something of a workspace is not shown.

export type ViewProblem = 'NO_FILE' | 'OUTSIDE' | 'TOO_LARGE' | 'NOT_SHOWN' | 'NO_PREVIEW';
