// What an undo did, as a sentence. Pure.
import { t } from '#page/kit/t.ts';
import { firstOf, pathText } from '#page/kit/words.ts';

export function describeUndo({ restored, conflicts }: { readonly restored: readonly string[]; readonly conflicts: readonly string[] }): string {
  const sentences: string[] = [];
  if (restored.length > 0) sentences.push(t('Taken back: {paths}.', { paths: firstOf(restored.map(pathText), 10) }));
  if (conflicts.length > 0) sentences.push(t('Changed since and left alone: {paths}.', { paths: firstOf(conflicts.map(pathText), 10) }));
  return sentences.length === 0 ? t('Nothing had to be taken back: the files are already as they were.') : sentences.join(' ');
}
