// Renders the editor for the page's theme: a few choices, two colours and a reset, which are applied immediately.
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import '#page/kit/page/form.css';
import './look.css';
import { densityTitles, fontTitles, isSame, moodTitles, nearlyPlain, shapeTitles, type Preview, type UiTheme } from './look-model.ts';
import { LookSample } from './look-sample.tsx';
import { previewThemeTokens, applyThemeTokens } from '#page/kit/applied-theme.ts';
import { t } from '#page/kit/t.ts';

const settleMs = 50;

export function LookEditor() {
  const client = useClient();
  const loaded = useLoaded('look', (signal) => client.call('GET /api/persona/theme', { signal }));
  useEvents(({ kind }) => kind === 'persona_changed', settleMs, loaded.reload);
  const id = useId();
  return (
    <section className="page-section" aria-labelledby={id}>
      <h2 id={id}>{t('Theme')}</h2>
      <WhenLoaded loaded={loaded} what={t('theme')}>
        {({ personaUiTheme }) => {
          const kept = personaUiTheme?.theme;
          // Activating a different theme restarts the editor.
          return <Editor key={JSON.stringify(kept)} kept={kept} keptTokens={personaUiTheme?.tokens} onSaved={loaded.reload} />;
        }}
      </WhenLoaded>
    </section>
  );
}

interface EditorProps {
  /** The active theme; `undefined` if there is none. */
  readonly kept: UiTheme | undefined;
  readonly keptTokens: Readonly<Record<string, string>> | undefined;
  readonly onSaved: () => void;
}

function Editor({ kept, keptTokens, onSaved }: EditorProps) {
  const client = useClient();
  const before = kept ?? nearlyPlain;
  const [theme, setTheme] = useState<UiTheme>(before);
  const { isBusy, run } = useAct(onSaved);
  const isChanged = !isSame(theme, before);
  const preview = useLoaded(JSON.stringify(theme), (signal) => client.call('POST /api/persona/theme/preview', { body: theme, signal }));
  const tried = isChanged ? preview.value?.tokens : undefined;
  useEffect(() => applyThemeTokens(keptTokens), [keptTokens]);
  useEffect(() => previewThemeTokens(tried), [tried]);
  // Discards an unsaved preview when the editor closes.
  useEffect(() => () => previewThemeTokens(undefined), []);

  const set = <Name extends keyof UiTheme>(name: Name, value: UiTheme[Name]): void => setTheme({ ...theme, [name]: value });
  const save = (next: UiTheme | null, done: string): void => void run(() => client.call('PUT /api/persona/theme', { body: { theme: next } }), done);
  return (
    <div className="page-card look">
      <form
        className="look-form"
        onSubmit={(event) => {
          event.preventDefault();
          save(theme, t('The page uses this theme in every tab.'));
        }}
      >
        <Line title={t('Mood')}>
          <Choices legend={t('Mood')} value={theme.mood} options={moodTitles} onChange={(mood) => set('mood', mood)} />
        </Line>
        <Line title={t('Colours')}>
          <div className="look-colours">
            <Colour label={t('Accent')} value={theme.accent} onChange={(accent) => set('accent', accent)} />
            <Colour label={t('Background')} value={theme.ground} onChange={(ground) => set('ground', ground)} />
          </div>
          {preview.value && isMoved(preview.value) && <p className="muted small">{t('Adjusted in light or dark mode where needed for readable text.')}</p>}
        </Line>
        <Line title={t('Corners')}>
          <Choices legend={t('Corners')} value={theme.shape} options={shapeTitles} onChange={(shape) => set('shape', shape)} />
        </Line>
        <Line title={t('Spacing')}>
          <Choices legend={t('Spacing')} value={theme.density} options={densityTitles} onChange={(density) => set('density', density)} />
        </Line>
        <Line title={t('Fonts')}>
          <Choices legend={t('Fonts')} value={theme.font} options={fontTitles} onChange={(font) => set('font', font)} />
        </Line>
        <div className="look-buttons">
          <button type="submit" className="button primary" disabled={isBusy || !isChanged}>
            {t('Keep this theme')}
          </button>
          <button type="button" className="button" disabled={isBusy || !isChanged} onClick={() => setTheme(before)}>
            {t('Discard')}
          </button>
          {kept && (
            <button type="button" className="button" disabled={isBusy} onClick={() => save(null, t('The page has no theme any more.'))}>
              {t('Remove theme')}
            </button>
          )}
        </div>
      </form>
      <div className="look-samples">
        <WhenLoaded loaded={preview} what={t('samples')}>
          {({ palette, contrast }) => (
            <>
              <LookSample title={t('Light mode')} colours={palette.light} contrast={contrast.light} />
              <LookSample title={t('Dark mode')} colours={palette.dark} contrast={contrast.dark} />
            </>
          )}
        </WhenLoaded>
        <p className="muted small">
          {t('The lowest contrast with any background of the page. Text needs 4.5 : 1, edges 3 : 1; colours are adjusted to reach it.')}
        </p>
      </div>
    </div>
  );
}

const isMoved = ({ theme, palette }: Preview): boolean => palette.light['accent'] !== theme.accent || palette.dark['accent'] !== theme.accent;

function Line({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="look-line">
      <p className="look-line-title" aria-hidden="true">
        {title}
      </p>
      <div>{children}</div>
    </div>
  );
}

interface ColourProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Colour({ label, value, onChange }: ColourProps) {
  return (
    <label className="look-colour">
      <input type="color" value={value} onChange={(event) => onChange(event.target.value)} />
      <span>
        {label} <code className="muted">{value}</code>
      </span>
    </label>
  );
}
