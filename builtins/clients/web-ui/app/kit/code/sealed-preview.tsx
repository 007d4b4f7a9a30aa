// Renders a preview of an untrusted HTML page or drawing in a frame without scripts or network access.
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStoredState } from '../stored-state.ts';
import { t } from '../t.ts';

/** Returns the type of a complete page or drawing; `undefined` for other code. */
export function sealedTypeOf(lang: string, text: string): string | undefined {
  const start = text.slice(0, 300).trimStart().toLowerCase();
  if (/^(svg|xml|html)$/.test(lang) && /^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?<svg[\s>]/s.test(start)) return 'image/svg+xml';
  return /^(html|xml)$/.test(lang) && /^(<!doctype html|<html)/.test(start) ? 'text/html' : undefined;
}

export function SealedPreview({ id, type, text }: { readonly id: string; readonly type: string; readonly text: string }) {
  const [isOpen, setOpen] = useStoredState(`preview:${id}`, false);
  return (
    <div className="sealed-preview">
      <button type="button" className="quiet-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
        <span>{isOpen ? t('Close preview') : t('Preview without scripts')}</span>
      </button>
      {isOpen && <Frame type={type} text={text} />}
    </div>
  );
}

function Frame({ type, text }: { readonly type: string; readonly text: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the cleanup must revoke the object URL
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [type, text]);
  return address === undefined ? null : (
    <iframe className="sealed-preview-frame" sandbox="" src={address} title={t('Preview without scripts')} referrerPolicy="no-referrer" />
  );
}
