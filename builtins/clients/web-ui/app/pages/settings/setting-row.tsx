// Renders one setting: its description, control, source, and error.
import { Lock, RotateCcw } from 'lucide-react';
import { memo, useId } from 'react';
import { draftedText, rangeWords, resetValueOf, type Drafts } from './setting-drafts.ts';
import { SettingControl } from './setting-control.tsx';
import { durationWords, lockReason, sourceWord, wordOf, type SettingField } from './settings-model.ts';
import { t } from '../../kit/t.ts';

export interface SettingRowProps {
  readonly field: SettingField;
  /** Topic of the setting, if the list mixes topics. */
  readonly topic?: string | undefined;
  /** `undefined` without a change, `null` for a reset. */
  readonly draft: string | null | undefined;
  /** Saved change that is applied when no turn is running; same format as {@link draft}. */
  readonly pending: string | null | undefined;
  readonly fault: string | undefined;
  readonly onChange: (field: SettingField, text: string | null) => void;
}

export const SettingRow = memo(function SettingRow({ field, topic, draft, pending, fault, onChange }: SettingRowProps) {
  const id = useId();
  const wanted = draft === undefined ? pending : draft;
  const drafts: Drafts = wanted === undefined ? new Map() : new Map([[field.key, wanted]]);
  const text = draftedText(field, drafts);
  const reason = lockReason(field);
  const range = rangeWords(field);
  // The draft's error takes precedence over the error of the saved value.
  const problem = fault ?? (draft === undefined ? field.warning : undefined);
  const canReset = reason === undefined && field.source === 'preferences' && draft !== null;

  return (
    <div className="setting-row" data-key={field.key} data-changed={draft !== undefined}>
      <div className="setting-row-words">
        <label htmlFor={id} className="setting-row-label">
          {t(field.label)}
        </label>
        <p id={`${id}-about`} className="muted small">
          {t(field.description)}
        </p>
        {reason !== undefined && (
          <p id={`${id}-lock`} className="setting-row-lock small">
            <Lock size={14} aria-hidden="true" /> <span>{reason}</span>
          </p>
        )}
      </div>
      <div className="setting-row-control">
        <SettingControl
          field={field}
          id={id}
          text={text}
          describedBy={`${id}-about ${reason === undefined ? '' : `${id}-lock `}${id}-hint`}
          isInvalid={problem !== undefined}
          onChange={(next) => onChange(field, next)}
        />
        <p id={`${id}-hint`} className="setting-row-hint small" data-bad={problem !== undefined}>
          {problem ?? hintOf([durationWords(field, text), range])}
        </p>
      </div>
      <div className="setting-row-source small">
        <details className="page-more setting-row-key">
          <summary>
            {sourceWord(field)}
            <span className="visually-hidden"> ({t(field.label)})</span>
          </summary>
          <code className="muted">{field.key}</code>
        </details>
        {topic !== undefined && <span className="muted">{t(topic)}</span>}
        {field.restart && <span className="badge">{t('requires a restart')}</span>}
        {draft === undefined && pending !== undefined && <span className="badge accent">{t('applies when the turn ends')}</span>}
        {draft !== undefined && <span className="badge accent">{draft === null ? t('will be reset') : t('not saved')}</span>}
        {canReset && (
          <button type="button" className="button bare setting-row-reset" onClick={() => onChange(field, null)}>
            <RotateCcw size={14} aria-hidden="true" /> {t('Reset to {value}', { value: wordOf(field, resetValueOf(field)) })}
            <span className="visually-hidden"> ({t(field.label)})</span>
          </button>
        )}
      </div>
    </div>
  );
});

function hintOf(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(' · ');
}
