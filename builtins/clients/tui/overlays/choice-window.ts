// Selects the visible part of a long list of choices.

export interface Shown<T> {
  readonly choice: T;
  readonly isChosen: boolean;
}

export function windowOf<T>(choices: readonly T[], chosen: number, most: number): Shown<T>[] {
  const first = Math.max(0, Math.min(chosen - most + 1, choices.length - most));
  return choices.slice(first, first + most).map((choice, at) => ({ choice, isChosen: first + at === chosen }));
}
