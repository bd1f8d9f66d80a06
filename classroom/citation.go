package classroom

// A CitationStatus says what a citation was found to be.
type CitationStatus string

// The statuses of a citation.
const (
	Quoted           CitationStatus = "quoted"             // its words stand in a passage
	Supported        CitationStatus = "supported"          // it names a passage that holds what it says
	NotFromMaterials CitationStatus = "not_from_materials" // neither
)

// A Citation is a quotation or a reference in a message, and what became of its check.
type Citation struct {
	N          int            `json:"n"`     // from 1, in the message
	Block      int            `json:"block"` // of the message, from 0
	From       int            `json:"from"`  // its characters in the block's text
	To         int            `json:"to"`
	Status     CitationStatus `json:"status"`
	Quote      string         `json:"quote,omitempty"` // what was quoted
	MaterialID string         `json:"material_id,omitempty"`
	Material   string         `json:"material,omitempty"`   // its name
	PassageID  int            `json:"passage_id,omitempty"` // the passage's first byte in the material, plus 1
	Heading    string         `json:"heading,omitempty"`
}

// At returns c with a status and the passage that it was found in.
func (c Citation) At(status CitationStatus, p Passage) Citation {
	c.Status, c.MaterialID, c.Material, c.PassageID, c.Heading = status, p.MaterialID, p.Material, p.From+1, p.Section
	return c
}
