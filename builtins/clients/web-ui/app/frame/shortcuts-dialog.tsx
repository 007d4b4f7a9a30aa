// Which keys do what, and whether single keys do anything.
import { useState } from 'react';
import { Modal } from '../kit/modal.tsx';
import type { ListedKeys } from '../points/contribution.ts';
import { useListedKeys } from '../points/use-contributions.ts';
import { keysOf, shortcuts } from './shortcuts.ts';
import { hasSingleKeys, isMac, keepSingleKeys } from './use-shortcuts.ts';
import './shortcuts-dialog.css';

const modifier = isMac ? '⌘' : 'Ctrl';
const ofFields: readonly ListedKeys[] = [
  { keys: ['Enter'], what: 'Send; while the agent works: queue' },
  { keys: [modifier, 'Enter'], what: 'Steer the running turn' },
  { keys: ['Shift', 'Enter'], what: 'New line' },
  { keys: ['↑'], what: 'In an empty field: your last message' },
  { keys: ['/'], what: 'At the beginning: commands' },
  { keys: ['Alt', 'A'], what: 'Approve the first that waits' },
  { keys: ['Alt', 'E'], what: 'Edit it' },
  { keys: ['Alt', 'R'], what: 'Reject it' },
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, turn] = useState(hasSingleKeys);
  const more = useListedKeys();
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts-dialog">
        {[...shortcuts.map((one) => ({ keys: keysOf(one, isMac), what: one.what })), ...ofFields, ...more].map(({ keys, what }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="shortcuts-dialog-single">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            keepSingleKeys(event.target.checked);
            turn(event.target.checked);
          }}
        />
        Shortcuts of a single key
      </label>
    </Modal>
  );
}
