// Renders the form that creates a code: transport and role.
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import './code.css';
import type { Code, RemoteView } from './use-remote.ts';
import { t, table } from '#page/kit/t.ts';

interface CodeMakerProps {
  readonly ways: RemoteView['ways'];
  readonly onChanged: () => void;
}

const wayLabels = table({ lan: 'In this network', cloud: 'From anywhere' } as const);
const roleLabels = table({ view: 'See this window', control: 'See and control it' } as const);

export function CodeMaker({ ways, onChanged }: CodeMakerProps) {
  const { call } = useClient();
  const act = useAct(onChanged);
  const open = ways.filter(({ available }) => available).map(({ transport }) => transport);
  const [wanted, setWanted] = useState<Code['transport']>('lan');
  const [role, setRole] = useState<Code['role']>('view');
  const transport = open.includes(wanted) ? wanted : open[0];
  return (
    <div className="page-card padded remote-maker">
      {transport !== undefined && (
        <>
          {open.length > 1 && <Choices legend={t('Transport')} value={transport} options={wayLabels} onChange={setWanted} />}
          <Choices legend={t('Permissions of viewers')} value={role} options={roleLabels} onChange={setRole} />
          <p className="muted small">
            {transport === 'cloud'
              ? t('Through the relay, which cannot read the data. The link contains the key, so anyone with the link can join.')
              : t('Viewers must be in the same network, and the picture is not encrypted there.')}{' '}
            {role === 'control' && t('You are asked before a viewer can control it.')}
          </p>
          <button
            type="button"
            className="button primary"
            disabled={act.isBusy}
            onClick={() => void act.run(() => call('POST /api/remote', { body: { role, transport } }))}
          >
            {t('Create a code')}
          </button>
        </>
      )}
      {ways.map(({ transport: name, reason }) => reason !== undefined && <p key={name} className="muted small">{`${wayLabels[name]}: ${reason}`}</p>)}
    </div>
  );
}
