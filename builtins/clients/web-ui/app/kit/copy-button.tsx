// Renders the button that copies a text and confirms it.
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from './t.ts';

export function CopyButton({ text, label = t('Copy') }: { readonly text: () => string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => setState((await copyText(text())) ? 'done' : 'failed');
  const words = state === 'done' ? t('Copied') : state === 'failed' ? t('Not copied') : label;
  return (
    <button type="button" className="quiet-button" onClick={() => void copy()}>
      {state === 'done' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span>{words}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that are loaded over plain HTTP have no clipboard API.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
