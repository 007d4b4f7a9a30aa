// Renders the settings of this browser: theme, language, and notifications.
import { useEffect, useId, useRef } from 'react';
import { NotifyButton } from '../../attention/notify-button.tsx';
import { Slot } from '../../points/slot.tsx';
import { useClient } from '../../kit/hooks.ts';
import { chooseLanguage, chosenLanguage, nameOfLanguage, stockLanguages, wasJustChosen } from '../../kit/language.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { useShell } from '../../kit/shell-context.ts';
import { t } from '../../kit/t.ts';
import { themes } from '../../kit/theme.ts';

export const lookWords = /* t */ 'theme dark mode light appearance night colours look design language locale translation';
export const noticeWords = /* t */ 'notifications notify alerts push badge desktop tell me';

export function LookCard() {
  const { theme, setTheme } = useShell();
  const name = useId();
  return (
    <section className="page-card padded look-card" aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{t('This browser')}</h3>
      <fieldset className="look-card-themes">
        <legend>{t('Theme')}</legend>
        {themes.map((one) => (
          <label key={one.name} className="look-card-theme">
            <input type="radio" name={name} value={one.name} checked={theme === one.name} onChange={() => setTheme(one.name)} />
            <span>{t(one.label)}</span>
          </label>
        ))}
      </fieldset>
      <LanguageChoice />
      <p className="look-card-notices">
        <span>
          {t('Notifications:')} <NoticeState /> <span className="muted small">{t('Shown when something waits for you while this page is hidden.')}</span>
        </span>
        <NotifyButton />
      </p>
      <Slot name="notifications" />
    </section>
  );
}

/** Renders the selection of the language. Each language is listed by its native name, which users recognise without reading the page. */
function LanguageChoice() {
  const client = useClient();
  const { attempt } = useShell();
  const loaded = useLoaded('languages', (signal) => client.call('GET /api/ui/messages', { signal }));
  const chosen = chosenLanguage() ?? '';
  const id = useId();
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (wasJustChosen()) field.current?.focus();
  }, []);
  const tags = [...new Set([...stockLanguages(), ...(loaded.value?.languages ?? []), ...(chosen === '' ? [] : [chosen])])];
  return (
    <p className="look-card-language">
      <label htmlFor={id}>{t('Language')}</label>
      <select ref={field} id={id} className="field" value={chosen} onChange={({ target }) => attempt(() => chooseLanguage(target.value || undefined))}>
        <option value="">{t('Same as the browser')}</option>
        {tags.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {nameOfLanguage(tag)}
          </option>
        ))}
      </select>
    </p>
  );
}

function NoticeState() {
  if (!('Notification' in window) || !window.isSecureContext) return <>{t('not possible in this browser.')}</>;
  if (Notification.permission === 'granted') return <>{t('allowed.')}</>;
  return Notification.permission === 'denied' ? <>{t('blocked; the browser’s settings for this page allow them again.')}</> : <>{t('not requested yet.')}</>;
}
