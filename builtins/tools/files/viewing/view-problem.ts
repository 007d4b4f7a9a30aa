// Lists the reasons why workspace content is not shown.

export type ViewProblem = 'NO_FILE' | 'OUTSIDE' | 'TOO_LARGE' | 'NOT_SHOWN' | 'NO_PREVIEW';
