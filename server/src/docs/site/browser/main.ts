import "./docs.css";
import { startCodes } from "./codes.ts";
import { startContents } from "./contents.ts";
import { startCopyButtons } from "./copy.ts";
import { startCredentialsDialog } from "./credentials-dialog.ts";
import { startFilter } from "./filter.ts";
import { startPlayground } from "./playground.ts";
import { startTabs } from "./tabs.ts";
import { startTryForms } from "./try-form.ts";

startTabs();
startFilter();
startContents();
startCopyButtons();
startCodes();
startCredentialsDialog();
startPlayground();
startTryForms();
