// Defines the labels of the kinds of file changes.
import type { ChangedFile } from './use-changes.ts';
import { table } from '#page/kit/t.ts';

export const kindLabels: Readonly<Record<ChangedFile['kind'], string>> = table({ added: 'New', edited: 'Edited', deleted: 'Deleted', moved: 'Moved' });
