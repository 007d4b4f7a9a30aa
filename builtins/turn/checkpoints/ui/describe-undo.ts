// What an undo did, as a sentence. Pure.
export function describeUndo({ restored, conflicts }: { readonly restored: readonly string[]; readonly conflicts: readonly string[] }): string {
  const sentences: string[] = [];
  if (restored.length > 0) sentences.push(`Taken back: ${listPaths(restored)}.`);
  if (conflicts.length > 0) sentences.push(`Changed since and left alone: ${listPaths(conflicts)}.`);
  return sentences.length === 0 ? 'Nothing had to be taken back: the files are already as they were.' : sentences.join(' ');
}

function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, 10);
  return paths.length > shown.length ? `${shown.join(', ')} and ${paths.length - shown.length} more` : shown.join(', ');
}
