// Manages the user's unsaved changes on the settings page.
import { useCallback, useState } from 'react';
import type { Settings } from 'agent-harness/client';
import { useClient } from '../../kit/hooks.ts';
import type { Outcome } from './change-bar.tsx';
import { storeDrafts, useDrafts } from './unsaved-drafts.ts';
import { faultsOf, refusalOf, toPatch, withDraft, withMode, type Drafts } from './setting-drafts.ts';
import type { SettingField } from './settings-model.ts';
import { t, tn } from '../../kit/t.ts';
import { rowOf } from '../../kit/short-texts.ts';

export interface SettingChanges {
  readonly drafts: Drafts;
  /** Errors by variable, from this page or the server. */
  readonly faults: ReadonlyMap<string, string>;
  /** Labels of fields that this page found invalid. */
  readonly faulty: readonly string[];
  readonly isSaving: boolean;
  readonly outcome: Outcome | undefined;
  /** Labels of saved settings that apply only after a restart of the server. */
  readonly restarting: readonly string[];
  change(field: SettingField, text: string | null): void;
  changeMode(current: string, mode: string): void;
  save(): void;
  discard(): void;
}

const nothing: ReadonlyMap<string, string> = new Map<string, string>();

/** @param onSaved resolves when the saved values have been loaded */
export function useSettingChanges(settings: Settings | undefined, onSaved: () => void): SettingChanges {
  const client = useClient();
  const drafts = useDrafts();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(nothing);
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSaving, setSaving] = useState(false);
  const [restarting, setRestarting] = useState<readonly string[]>([]);
  const fields = settings?.fields ?? [];
  const own = faultsOf(fields, drafts);
  const labelOf = (key: string): string => t(fields.find((field) => field.key === key)?.label ?? key);

  const change = useCallback((field: SettingField, text: string | null) => {
    setOutcome(undefined);
    setRefused((before) => (before.has(field.key) ? new Map([...before].filter(([key]) => key !== field.key)) : before));
    storeDrafts((before) => withDraft(before, field, text));
  }, []);

  async function saveNow(): Promise<void> {
    setSaving(true);
    try {
      const { applied, restartNeeded, pending } = await client.call('PUT /api/settings', { body: { ...toPatch(drafts), whenBusy: 'queue' } });
      storeDrafts(() => nothing);
      setRefused(nothing);
      setRestarting((before) => [...new Set([...before, ...restartNeeded.map(labelOf)])]);
      const saved = t('Saved {changes}', { changes: tn((pending ?? applied).length, '{count} change', '{count} changes') });
      setOutcome({ kind: 'saved', text: pending ? t('{saved}. Applied as soon as the running turn ends.', { saved }) : `${saved}.` });
      onSaved();
    } catch (error) {
      const { byKey, text } = refusalOf(error, [...drafts.keys()]);
      setRefused(byKey);
      setOutcome({
        kind: 'refused',
        text: byKey.size > 0 ? t('Nothing was saved. Refused: {fields}.', { fields: rowOf([...byKey.keys()].map(labelOf)) }) : text,
      });
    } finally {
      setSaving(false);
    }
  }

  return {
    drafts,
    faults: new Map([...refused, ...own]),
    faulty: [...own.keys()].map(labelOf),
    isSaving,
    outcome,
    restarting,
    change,
    changeMode(current, mode) {
      setOutcome(undefined);
      storeDrafts((before) => withMode(before, current, mode));
    },
    save: () => void saveNow(),
    discard() {
      storeDrafts(() => nothing);
      setRefused(nothing);
      setOutcome(undefined);
    },
  };
}
