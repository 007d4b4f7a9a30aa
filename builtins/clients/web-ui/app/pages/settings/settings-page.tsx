// Renders the page with the settings of all plugins, as listed by the server.
import type { Settings } from 'agent-harness/client';
import { useState, type ReactNode } from 'react';
import { useClient, useRoute } from '../../kit/hooks.ts';
import { Slot } from '../../points/slot.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ProviderCard } from './provider-card.tsx';
import { inferenceModeKey } from './setting-drafts.ts';
import { SettingRow } from './setting-row.tsx';
import { LookCard } from './look-card.tsx';
import { firstFields, firstTab, groupsIn, pendingLabels, providerTab, titleOfGroup, type SettingField } from './settings-model.ts';
import { SettingsFound } from './settings-found.tsx';
import './settings.css';
import { useSettingChanges, type SettingChanges } from './use-setting-changes.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { SearchField } from '../../kit/page/search-field.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t, tx } from '../../kit/t.ts';
import { rowOf as listed } from '../../kit/short-texts.ts';

export function SettingsPage() {
  const client = useClient();
  const loaded = useLoaded('settings', (signal) => client.call('GET /api/settings', { signal }));
  const changes = useSettingChanges(loaded.value, loaded.reload);
  const [query, setQuery] = useState('');
  useEvents((event) => event.kind === 'settings_changed' || event.kind === 'settings_pending', 200, loaded.reload);

  return (
    <PageFrame title={t('Settings')} intro={t('How the agent works on this machine. Most changes apply at once.')} isBusy={loaded.isLoading}>
      <div className="page-filters">
        <SearchField label={t('Search settings')} placeholder={t('Search: dark mode, cost limit, microphone …')} value={query} onChange={setQuery} />
      </div>
      <WhenLoaded loaded={loaded} what={t('settings')}>
        {(settings) => <SettingsBody settings={settings} query={query.trim()} changes={changes} onTab={() => setQuery('')} onReload={loaded.reload} />}
      </WhenLoaded>
    </PageFrame>
  );
}

interface SettingsBodyProps {
  readonly settings: Settings;
  readonly query: string;
  readonly changes: SettingChanges;
  readonly onTab: () => void;
  readonly onReload: () => void;
}

function SettingsBody({ settings, query, changes, onTab, onReload }: SettingsBodyProps) {
  const { id } = useRoute();
  const { tabs, fields, provider } = settings;
  const waiting = pendingLabels(settings);
  const filled = [firstTab, ...tabs.filter((tab) => fields.some((field) => field.tab === tab.id))];
  const chosen = filled.find((tab) => tab.id === id) ?? firstTab;
  const isSearching = query !== '';

  const cardOf = (isWhole: boolean): ReactNode => (
    <ProviderCard
      provider={provider}
      mode={changes.drafts.get(inferenceModeKey) ?? provider.inferenceMode}
      onMode={isWhole ? (mode) => changes.changeMode(provider.inferenceMode, mode) : undefined}
      onKeyUsed={onReload}
    />
  );
  const rowOf = (field: SettingField, topic?: string): ReactNode => (
    <SettingRow
      key={field.key}
      field={field}
      topic={topic}
      draft={changes.drafts.get(field.key)}
      pending={settings.pending.env[field.key]}
      fault={changes.faults.get(field.key)}
      onChange={changes.change}
    />
  );

  return (
    <>
      {changes.restarting.length > 0 && (
        <div className="page-notice warn" role="status">
          <p>
            {tx('{strong} to apply these settings: {restarting}.', {
              strong: <strong>{t('Restart the server')}</strong>,
              restarting: listed(changes.restarting),
            })}
          </p>
        </div>
      )}
      {waiting.length > 0 && (
        <div className="page-notice" role="status">
          <p>{tx('{strong} {settings}.', { strong: <strong>{t('Saved; applied as soon as the running turn ends:')}</strong>, settings: listed(waiting) })}</p>
        </div>
      )}
      <div className="settings-layout">
        <nav aria-label={t('Settings by topic')}>
          <ul className="settings-tabs">
            {filled.map((tab) => (
              <li key={tab.id}>
                <a href={`#/settings/${encodeURIComponent(tab.id)}`} aria-current={!isSearching && tab.id === chosen.id ? 'page' : undefined} onClick={onTab}>
                  {t(tab.title)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-sections">
          {isSearching && <SettingsFound settings={settings} query={query} providerCard={cardOf(true)} lookCard={<LookCard />} rowOf={rowOf} />}
          {!isSearching && (
            <section className="settings-section" aria-label={t(chosen.title)}>
              <h2>{t(chosen.title)}</h2>
              {(chosen.id === firstTab.id || chosen.id === providerTab) && cardOf(chosen.id === providerTab)}
              {chosen.id === firstTab.id && (
                <>
                  <LookCard />
                  <div className="page-card">{firstFields(settings).map((field) => rowOf(field))}</div>
                </>
              )}
              {groupsIn(settings, chosen.id).map((group) => (
                <div key={group.name} className="settings-group">
                  <h3>{titleOfGroup(group.name)}</h3>
                  <div className="page-card">{group.fields.map((field) => rowOf(field))}</div>
                </div>
              ))}
            </section>
          )}
          {!isSearching && <Slot name="settings" />}
        </div>
      </div>
      <ChangeBar
        count={changes.drafts.size}
        faulty={changes.faulty}
        isSaving={changes.isSaving}
        outcome={changes.outcome}
        onSave={changes.save}
        onDiscard={changes.discard}
      />
    </>
  );
}
