// Renders the scrollable part of a decision, with an indicator for more content below.
import { ChevronDown } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useScrollRest } from './use-scroll-rest.ts';
import { t } from '../../kit/t.ts';

export function ApprovalBody({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const { isScrollable, hasMore } = useScrollRest(box);
  return (
    <div className="approval-box">
      <div ref={box} className="approval-body" {...(isScrollable ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}>
        {children}
      </div>
      {hasMore && (
        <button
          type="button"
          className="approval-more small"
          onClick={() => box.current?.scrollBy({ top: Math.max(40, (box.current.clientHeight * 3) / 4), behavior: 'smooth' })}
        >
          <ChevronDown size={14} aria-hidden /> {t('More below')}
        </button>
      )}
    </div>
  );
}
