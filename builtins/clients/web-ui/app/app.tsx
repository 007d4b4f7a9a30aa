// Renders the root component of the page: assembles its sections and their shared state.
import { Direction } from 'radix-ui';
import { ChatPage } from './chat/chat-page.tsx';
import { Frame } from './frame/frame.tsx';
import { ShellProvider } from './kit/notices/shell-provider.tsx';
import { Gate } from './frame/sign-in/gate.tsx';
import { useStore } from './kit/hooks.ts';
import { isRightToLeft, language } from './kit/language.ts';
import { Region } from './kit/region.tsx';
import { platformPages } from './pages/platform-pages.tsx';
import { ContributionsContext, type Contribution } from './points/contribution.ts';
import { useEffect } from 'react';
import { useDrafts } from './pages/settings/unsaved-drafts.ts';

/** The UI of each built-in is in its own folder `ui`. */
const features = import.meta.glob<{ readonly contribution: Contribution }>('../../../*/*/ui/contribution.tsx', { eager: true });
const contributions = [...platformPages, ...Object.values(features).map(({ contribution }) => contribution)];

/** `hasToken`: the page has a token, so it is shown without waiting for the server. */
export function App({ brand, hasToken }: { readonly brand: string; readonly hasToken: boolean }) {
  useUnsaved();
  const spoken = useStore(language);
  return (
    <Region name="The page">
      <ContributionsContext value={contributions}>
        <ShellProvider brand={brand}>
          {/* Texts are looked up while rendering, so a new language rerenders all of them. */}
          <Direction.Provider key={spoken} dir={isRightToLeft(spoken) ? 'rtl' : 'ltr'}>
            <Gate isKnown={hasToken}>
              <Frame ChatPage={ChatPage} />
            </Gate>
          </Direction.Provider>
        </ShellProvider>
      </ContributionsContext>
    </Region>
  );
}

/** Asks for confirmation before the page closes with unsaved settings. */
function useUnsaved(): void {
  const { size } = useDrafts();
  useEffect(() => {
    if (size === 0) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [size]);
}
