// Manages the unpublished draft of a document, and versions that are published while the user edits.
import { explainError } from '#page/kit/page/explain-error.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { codeOf, messageOf } from '#lib/errors';
import { stableJson, isRecord } from '#lib/values';
import { useEffect, useEffectEvent, useState } from 'react';
import { documentText } from './document-text.ts';
import { mergeDocuments } from './merge-documents.ts';
import type { Published, Revised, RulesDocument } from './rules-document.ts';

export type View = 'form' | 'json';

export interface DraftParts<T> {
  readonly current: Revised<T>;
  readonly rules: Pick<RulesDocument<T>, 'newest' | 'save' | 'problemOf'>;
  /** Newest known published revision. */
  readonly newest: number;
  readonly onPublished: (revision: number) => void;
}

export interface Draft<T> {
  readonly view: View;
  /** Version on which the draft is based. */
  readonly base: Revised<T>;
  readonly value: T;
  readonly text: string;
  /** Document to publish; undefined while the text is not a valid document. */
  readonly parsed: T | undefined;
  /** Problem that prevents publishing. */
  readonly fault: string | undefined;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** Reason why a publication failed, or the conflicts of a merge. */
  readonly problem: string | undefined;
  /** Version that another administrator published during this edit. */
  readonly theirs: Published<T> | undefined;
  setView(view: View): void;
  setValue(value: T): void;
  setText(text: string): void;
  discard(): void;
  merge(): void;
  publish(): Promise<void>;
}

export function useDraft<T extends object>({ current, rules, newest, onPublished }: DraftParts<T>): Draft<T> {
  const { tell } = useShell();
  const [view, setView] = useState<View>('form');
  const [base, setBase] = useState(current);
  const [value, setValue] = useState(current.document);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Published<T>>();
  const parsed = view === 'form' ? { value } : parseDocument<T>(text);
  const isChanged = parsed.value === undefined ? text !== documentText(base.document) : stableJson(parsed.value) !== stableJson(base.document);

  function adopt(next: Revised<T>): void {
    setBase(next);
    setValue(next.document);
    setText(documentText(next.document));
    setTheirs(undefined);
    setProblem(undefined);
  }

  // Shows the published version without changing unsaved input.
  const onFound = useEffectEvent((found: Published<T>) => {
    if (found.revision <= base.revision) return;
    if (!isChanged) return adopt(found);
    setProblem(undefined);
    setTheirs(found);
  });
  const onNewer = useEffectEvent(() => {
    if (!isBusy) rules.newest().then(onFound, () => undefined);
  });
  const known = theirs?.revision ?? base.revision;
  useEffect(() => {
    if (newest > known) onNewer();
  }, [newest, known]);

  return {
    view,
    base,
    value,
    text,
    parsed: parsed.value,
    fault: parsed.problem ?? (parsed.value && rules.problemOf?.(parsed.value)),
    isChanged,
    isBusy,
    problem,
    theirs,
    setView(next) {
      if (next === 'json') setText(documentText(value));
      else if (parsed.value === undefined) return;
      else setValue(parsed.value);
      setView(next);
    },
    setValue,
    setText,
    discard() {
      adopt(theirs ?? base);
    },
    merge() {
      if (!theirs || parsed.value === undefined) return;
      const merged = mergeDocuments(base.document, parsed.value, theirs.document);
      setBase(theirs);
      setValue(merged.value);
      setText(documentText(merged.value));
      setTheirs(undefined);
      setProblem(merged.clashes.length === 0 ? undefined : `Both of you changed ${merged.clashes.join(', ')}; your values are used.`);
    },
    async publish() {
      if (parsed.value === undefined) return;
      setBusy(true);
      setProblem(undefined);
      try {
        const { revision } = await rules.save(base.revision, parsed.value);
        tell('Published. Connected services apply it within seconds.');
        adopt({ revision, document: parsed.value });
        onPublished(revision);
      } catch (error) {
        if (codeOf(error) === 'revision_conflict') await rules.newest().then(setTheirs, (fault: unknown) => setProblem(explainError(fault)));
        else setProblem(explainError(error));
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Result of parsing a document that was typed as JSON. */
type ParsedDocument<T> = { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: string };

/** Checks only the syntax; the control plane validates the content when it is published. */
function parseDocument<T extends object>(text: string): ParsedDocument<T> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value: value as T } : { problem: 'The document must be a JSON object: { … }.' };
  } catch (fault) {
    return { problem: `The document is not valid JSON: ${messageOf(fault)}.` };
  }
}
