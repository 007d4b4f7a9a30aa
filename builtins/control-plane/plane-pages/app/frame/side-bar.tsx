// Renders the sidebar of the dashboard: organisation, pages, and the signed-in user.
import { BrandMark } from '#page/kit/brand-mark.tsx';
import { ThemeButton } from '#page/kit/theme-button.tsx';
import { LogOut } from 'lucide-react';
import { roleTitles, useMembership } from '../base/me.ts';
import { call, leaveForSignIn } from '../base/plane.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { OrgSwitch } from './org-switch.tsx';
import { groups, type Section } from './sections.ts';
import './side-bar.css';

export function SideBar({ sections, page }: { readonly sections: readonly Section[]; readonly page: string }) {
  const { me, role } = useMembership();
  const { isBusy, run } = useAct();
  return (
    <div className="side-bar">
      <div className="side-bar-head">
        <BrandMark size={28} />
        <OrgSwitch />
      </div>
      <nav className="side-bar-pages" aria-label="Pages">
        {groups.map((group) => {
          const shown = sections.filter((one) => one.group === group);
          return (
            shown.length > 0 && (
              <ul key={group} aria-label={group === '' ? undefined : group}>
                {group !== '' && (
                  <li className="side-bar-group" aria-hidden>
                    {group}
                  </li>
                )}
                {shown.map(({ page: name, title, Icon }) => (
                  <li key={name}>
                    <a className="side-bar-link" href={name === 'overview' ? '#/' : `#/${name}`} aria-current={name === page ? 'page' : undefined}>
                      <Icon size={17} aria-hidden />
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            )
          );
        })}
      </nav>
      <div className="side-bar-foot">
        <p className="side-bar-person">
          <span title={me.person.email}>{me.person.email}</span>
          <span className="muted small">{roleTitles[role]}</span>
        </p>
        <ThemeButton />
        <button
          type="button"
          className="button bare icon"
          aria-label="Sign out"
          title="Sign out"
          disabled={isBusy}
          onClick={() => void run(() => call('POST /api/account/sign-out').then(leaveForSignIn))}
        >
          <LogOut size={18} aria-hidden />
        </button>
      </div>
    </div>
  );
}
