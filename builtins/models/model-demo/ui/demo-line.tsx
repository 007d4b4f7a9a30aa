// Says that a demo model answers, and how to get a real one.
import { FlaskConical, X } from 'lucide-react';
import { useState } from 'react';
import { hashOf, useClient, useStore } from '#page/kit/hooks.ts';
import './demo-line.css';

const key = 'demo-line-read';

export function DemoLine() {
  const { config } = useStore(useClient().connection);
  const [isRead, setRead] = useState(() => localStorage.getItem(key) !== null);
  if (config?.demoModel !== true || isRead) return null;
  return (
    <div className="demo-line" role="note">
      <FlaskConical size={16} aria-hidden />
      <p>
        A demo model answers: it follows fixed rules, the tools are real. <a href={hashOf({ page: 'settings' })}>Type in a key</a> for a real one, or put{' '}
        <code>AGENT_API_KEY=…</code> into the <code>.env</code> file of the home folder: it is noticed there.
      </p>
      <button
        type="button"
        className="button bare icon"
        aria-label="Dismiss"
        onClick={() => {
          localStorage.setItem(key, 'yes');
          setRead(true);
        }}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
