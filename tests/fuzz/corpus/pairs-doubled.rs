use rmcp::{tool, ServerHandler};

type Pair0 = u8;
type Pair1 = (Pair0, Pair0);
type Pair2 = (Pair1, Pair1);
type Pair3 = (Pair2, Pair2);
type Pair4 = (Pair3, Pair3);
type Pair5 = (Pair4, Pair4);
type Pair6 = (Pair5, Pair5);
type Pair7 = (Pair6, Pair6);
type Pair8 = (Pair7, Pair7);
type Pair9 = (Pair8, Pair8);
type Pair10 = (Pair9, Pair9);
type Pair11 = (Pair10, Pair10);
type Pair12 = (Pair11, Pair11);
type Pair13 = (Pair12, Pair12);
type Pair14 = (Pair13, Pair13);
type Pair15 = (Pair14, Pair14);
type Pair16 = (Pair15, Pair15);
type Pair17 = (Pair16, Pair16);
type Pair18 = (Pair17, Pair17);
type Pair19 = (Pair18, Pair18);
type Pair20 = (Pair19, Pair19);
type Pair21 = (Pair20, Pair20);
type Pair22 = (Pair21, Pair21);
type Pair23 = (Pair22, Pair22);
type Pair24 = (Pair23, Pair23);
type Pair25 = (Pair24, Pair24);
type Pair26 = (Pair25, Pair25);
type Pair27 = (Pair26, Pair26);
type Pair28 = (Pair27, Pair27);
type Pair29 = (Pair28, Pair28);
type Pair30 = (Pair29, Pair29);

#[derive(Clone)]
pub struct Notes;

#[tool(tool_box)]
impl Notes {
    #[tool(description = "Keeps notes.")]
    async fn keep(&self, #[tool(param)] notes: Pair30) -> String {
        String::new()
    }
}
