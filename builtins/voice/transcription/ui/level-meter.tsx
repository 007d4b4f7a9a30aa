// Renders the microphone's level meter.
import { t } from '#page/kit/t.ts';

/** @param props.level input level from 0 to 1 */
export function LevelMeter({ level }: { readonly level: number }) {
  return (
    <span className="level-meter" role="meter" aria-label={t('Input level')} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(level * 100)}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
        <rect className="level-meter-ground" width="100" height="10" rx="5" />
        <rect className="level-meter-bar" width={Math.max(2, level * 100)} height="10" rx="5" />
      </svg>
    </span>
  );
}
