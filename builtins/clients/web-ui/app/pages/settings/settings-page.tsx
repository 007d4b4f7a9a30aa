// Every setting of every plugin, as the server lists them.
import type { Settings } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useRoute } from '../../kit/hooks.ts';
import { Slot } from '../../points/slot.tsx';
import { ChangeBar } from './change-bar.tsx';
import { ProviderCard } from './provider-card.tsx';
import { inferenceModeKey } from './setting-drafts.ts';
import { SettingRow } from './setting-row.tsx';
import { countFields, matchesProvider, pendingLabels, providerTab, sectionsOf, titleOfGroup } from './settings-model.ts';
import './settings.css';
import { useSettingChanges, type SettingChanges } from './use-setting-changes.ts';
import { countOf } from '../../kit/page/format.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { SearchField } from '../../kit/page/search-field.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';

export function SettingsPage() {
  const client = useClient();
  const loaded = useLoaded('settings', (signal) => client.call('GET /api/settings', { signal }));
  const changes = useSettingChanges(loaded.value, loaded.reload);
  const [query, setQuery] = useState('');
  useEvents((event) => event.kind === 'settings_changed' || event.kind === 'settings_pending', 200, loaded.reload);

  return (
    <PageFrame title="Settings" intro="How the agent works on this machine. Most changes hold at once." isBusy={loaded.isLoading}>
      <div className="page-filters">
        <SearchField label="Search settings" placeholder="Search settings" value={query} onChange={setQuery} />
      </div>
      <WhenLoaded loaded={loaded} what="settings">
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
  const filled = tabs.filter((tab) => fields.some((field) => field.tab === tab.id));
  const chosen = filled.find((tab) => tab.id === id) ?? filled[0];
  const isSearching = query !== '';
  const hasProvider = isSearching && matchesProvider(query);
  const sections = sectionsOf(settings, { tab: isSearching ? undefined : chosen?.id, query });

  const card = (
    <ProviderCard
      provider={provider}
      mode={changes.drafts.get(inferenceModeKey) ?? provider.inferenceMode}
      onMode={(mode) => changes.changeMode(provider.inferenceMode, mode)}
      onKeyUsed={onReload}
    />
  );

  return (
    <>
      {changes.restarting.length > 0 && (
        <div className="page-notice warn" role="status">
          <p>
            <strong>Restart the server</strong> to put these into force: {changes.restarting.join(', ')}.
          </p>
        </div>
      )}
      {waiting.length > 0 && (
        <div className="page-notice" role="status">
          <p>
            <strong>Saved, in force as soon as the running turn ends:</strong> {waiting.join(', ')}.
          </p>
        </div>
      )}
      <div className="settings-layout">
        <nav aria-label="Settings by topic">
          <ul className="settings-tabs">
            {filled.map((tab) => (
              <li key={tab.id}>
                <a href={`#/settings/${encodeURIComponent(tab.id)}`} aria-current={!isSearching && tab.id === chosen?.id ? 'page' : undefined} onClick={onTab}>
                  {tab.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="settings-sections">
          {isSearching && (
            <p className="muted" role="status">
              {countOf(countFields(sections) + (hasProvider ? 1 : 0), 'setting')} found
            </p>
          )}
          {hasProvider && card}
          {sections.map((section) => (
            <section key={section.id} className="settings-section" aria-label={section.title}>
              <h2>{section.title}</h2>
              {section.id === providerTab && !isSearching && card}
              {section.groups.map((group) => (
                <div key={group.name} className="settings-group">
                  <h3>{titleOfGroup(group.name)}</h3>
                  <div className="page-card">
                    {group.fields.map((field) => (
                      <SettingRow
                        key={field.key}
                        field={field}
                        draft={changes.drafts.get(field.key)}
                        pending={settings.pending.env[field.key]}
                        fault={changes.faults.get(field.key)}
                        onChange={changes.change}
                      />
                    ))}
                  </div>
                </div>
              ))}
            </section>
          ))}
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
