/// The names of a sample's employees in ASCII. A first name has at most 14 letters, and a last name has at most 16
/// letters. These are the limits of the columns in the original (see ``DumpDirectory``).
///
/// The names in a sample depend on the order of these lists. A name may be replaced, but inserting or removing a name
/// would change all samples.
enum SampleNames {
    /// First names of women.
    static let female = words(
        """
        Adaeze Agnes Ainhoa Aisha Alba Alicja Amara Amelie Ana Anahit Anjali Annika Asha Astrid Aurelia Aylin Beatriz
        Bianca Bronwyn Camila Carmen Catalina Chiara Chloe Clara Constanza Dalia Daphne Deepa Dilnoza Dorota Ebba
        Eleni Elif Elina Eloise Emilia Esther Eun Farida Fatou Fernanda Fiona Freya Gabriela Gloria Greta Hana Hanneke
        Harriet Helga Hiromi Ida Ilse Imani Ines Ingrid Irina Isabel Iwona Jacinta Jana Jasmine Johanna Josefina Julia
        Kalina Kamala Karin Katarzyna Keiko Khadija Kirsten Lalita Larissa Leila Lien Linnea Lucia Ludmila Mairead
        Makena Malin Marcela Margaux Mariam Matilda Meera Mei Mina Nadia Naledi Natalia Ngozi Noor Olga Pilar Priya
        Rosalind Rukmini Sakura Salome Sigrid Simone Siobhan Soledad Sunniva Svetlana Tamara Teresa Thandiwe Ursula
        Valentina Xiomara Yasmin Yuki Zainab Zofia
        """)

    /// First names of men.
    static let male = words(
        """
        Aaron Abdul Adrian Ahmed Akira Alvaro Amadou Anders Andrzej Antoine Arjun Arturo Augusto Bao Bartosz Benedikt
        Bohumil Bruno Carlos Chidi Colin Cormac Cristian Cyril Dagfinn Daniel Dario Desmond Diego Dimitri Dominik
        Eduardo Emeka Emil Enrique Erik Ernesto Fabian Farouk Felipe Finn Franco Francois Gareth Gaspard Gerard
        Giorgio Goran Gunnar Hakim Hamish Haruto Hassan Hector Henrik Humphrey Idris Igor Ismael Ivan Jakub Javier
        Jerome Jin Joaquin Jonas Jorge Kamil Karim Kazuo Kenji Kofi Konrad Kwame Lamar Lars Leopold Lionel Lorenzo
        Luca Magnus Mahmoud Manuel Marius Mateo Matthias Mehmet Mikkel Milan Mustafa Nicolas Nikhil Nils Olumide Omar
        Orhan Pablo Patrick Pedro Piotr Rajesh Ramon Rasmus Ravi Ricardo Roland Ruben Samir Santiago Sebastian Stellan
        Takeshi Tariq Thabo Tomas Umar Vikram Wei Xavier Yannick Yusuf Zoltan
        """)

    /// Last names.
    static let last = words(
        """
        Aaltonen Abara Abdi Abebe Abrahamsson Acosta Adebayo Adeyemi Agarwal Aguilar Ahmadi Akhtar Albrecht Almeida
        Alvarez Amsel Andrade Antonescu Aoki Appiah Araujo Arslan Asante Aydin Baier Bakker Balogun Banerjee Barbieri
        Barros Bauer Becker Belmonte Benitez Bergstrom Bianchi Blanchard Boateng Bogdanov Borges Boucher Brandt
        Brennan Bukowski Byrne Cabrera Calloway Camara Campbell Cardoso Carlsen Castellanos Castillo Cervantes
        Chakraborty Chandra Chavez Cheng Chowdhury Cohen Contreras Cordeiro Cortez Costa Coulibaly Dahl Danjuma Davies
        Delacroix Delgado Demirci Desai Diallo Diaz Dimitrov Diop Dlamini Dominguez Donnelly Dubois Dupont Ebersbach
        Echeverria Eklund Elliott Engel Eriksen Escobar Espinoza Estrada Fagerberg Falk Farah Faria Fernandes Ferrari
        Figueroa Fischer Fitzgerald Fontaine Fournier Fraser Fuentes Fujimoto Gallagher Garcia Gauthier Georgiou
        Gonzalez Greco Grunwald Guerrero Gupta Haas Haddad Hagen Halvorsen Hamza Harada Hassan Hayashi Heikkinen
        Henriksen Herrera Hoang Hoffmann Holm Horvath Hossain Huang Hughes Ibarra Ibrahim Iglesias Ikeda Ivanova Iyer
        Jablonski Janssens Jensen Jimenez Johansson Joshi Juarez Jung Kaczmarek Kamara Kaminski Kapoor Karlsson Kato
        Kaur Keita Keller Khan Kimura Kjeldsen Klein Kobayashi Koivisto Kone Kovacs Kowalczyk Kozlov Krishnan Kruger
        Kumar Kuznetsov Lachance Laine Lambert Larsen Laurent Lefebvre Leroy Lindholm Lombardi Lopes Lundgren Mabaso
        Macdonald Machado Maguire Mahlangu Marchetti Marino Markovic Marquez Martins Matsuda Mbeki Mehta Mendoza
        Mensah Meyer Molina Monteiro Morales Moreau Moretti Mukherjee Mulder Murphy Mwangi Naidoo Nair Nakamura Ndiaye
        Neumann Nguyen Nielsen Nieminen Nkosi Novak Nunez Obi Ochieng Odhiambo Okafor Okonkwo Oliveira Olsson Ortega
        Osei Otieno Ozturk Pacheco Padilla Palmer Papadopoulos Parkin Patel Pavlov Pereira Petrov Pfeiffer Pham Pinto
        Popescu Prakash Quiroga Rahman Ramirez Rao Rasmussen Reddy Reyes Ribeiro Richter Rinaldi Rivera Rocha Rojas
        Romano Rosales Rossetti Roux Ruiz Saarinen Sahin Salazar Salvatore Sandoval Santana Santos Sato Schmidt
        Schneider Schwarz Serrano Sharma Shevchenko Shimizu Silveira Singh Sithole Sokolov Solberg Sorensen Sousa
        Stefanov Strand Suarez Suzuki Svensson Szabo Takahashi Tanaka Teixeira Thapa Tran Traore Tshabalala Ueda
        Valdez Vargas Vasquez Vermeulen Virtanen Visser Vogel Volkov Wagner Wallin Watanabe Weber Whitaker Wisniewski
        Yadav Yamada Yilmaz Zapata Zawadzki Zhao Zimmermann
        """)

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
